"""Dudo (I doubt), a traditional bluffing game from South America, with the dice of a piecepack.

It is also played as Perudo, Cacho or Liar's dice; no author is known. These rules are a short form
for two players, in words of our own.
"""

from engine.packages import GamePackage

PACKAGE = GamePackage(
    contract=1,
    game="starpost_dudo.rules:Dudo",
    renderer="starpost_dudo.drawn:DudoRenderer",
    computer="starpost_dudo.computer:SUPPORT",
    texts="starpost_dudo:texts/{language}.md",
    openspiel="starpost_dudo.openspiel:SUPPORT",
)
