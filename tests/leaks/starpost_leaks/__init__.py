"""Games that leak, as a package from outside; see `starpost_leaks.plants`."""

from __future__ import annotations

from engine.packages import GamePackage


def _package(game: str, renderer: str = "starpost_spoof.drawn:SpoofRenderer") -> GamePackage:
    return GamePackage(contract=1, game=f"starpost_leaks.plants:{game}", renderer=renderer)


INVIEW = _package("InView")
INEVENT = _package("InEvent")
INRECORD = _package("InRecord")
INMEMORY = _package("InMemory")
INREFUSAL = _package("InRefusal")
INLEGALLIST = _package("InLegalList")
INPLAN = _package("InPlan")
BIASED = _package("Biased")
UNEQUAL = _package("Unequal")
EXCLUDING = _package("Excluding")
DUMPED = _package("Dumped")
INLABEL = _package("ToLabel", "starpost_leaks.plants:InLabel")
INALTTEXT = _package("ToAltText", "starpost_leaks.plants:InAltText")
INCUSTOMID = _package("ToCustomId", "starpost_leaks.plants:InCustomId")
INPICTURE = _package("ToPicture", "starpost_leaks.plants:InPicture")
