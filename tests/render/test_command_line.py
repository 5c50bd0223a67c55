"""`python -m render`: a picture, an animation."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from render.__main__ import main

MATCH = str(Path(__file__).parents[2] / "docs" / "players" / "gallery" / "cascade.match")
UNFINISHED = "Game: wormholes\n\n* rolloff S3 M0 C5 A2\nD first place\n"


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """Where the picture goes."""
    return tmp_path / "board.png"


def drawn(board: Path, *options: str) -> bytes:
    """The picture that these options give."""
    assert main([MATCH, "-o", str(board), *options]) == 0
    return board.read_bytes()


@pytest.mark.slow
def test_options_choose_the_picture(board: Path) -> None:
    pictures = {
        drawn(board),
        drawn(board, "--turn", "0"),
        drawn(board, "--turn", "27"),
        drawn(board, "--turn", "27", "--seat", "D"),
        drawn(board, "--turn", "27", "--theme", "light"),
        drawn(board, "--turn", "27", "--orientation", "portrait"),
    }
    assert len(pictures) == 6


def test_the_last_turn_is_the_end(board: Path) -> None:
    assert drawn(board, "--turn", "37") == drawn(board)


def test_marks_show_what_a_seat_may_do(
    board: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    record = tmp_path / "a.match"
    record.write_text(UNFINISHED)
    args = [str(record), "--seat", "D", "-o", str(board)]
    assert main(args) == 0
    plain = board.read_bytes()
    assert main([*args, "--marks"]) == 0
    assert board.read_bytes() != plain
    monkeypatch.setattr("sys.stdin", io.StringIO(UNFINISHED))
    assert main(["-", *args[1:]]) == 0
    assert board.read_bytes() == plain


@pytest.mark.slow
def test_a_gif_shows_the_whole_match(tmp_path: Path) -> None:
    path = tmp_path / "match.gif"
    assert main([MATCH, "-o", str(path)]) == 0
    with Image.open(path) as image:
        assert getattr(image, "n_frames", 1) > 60


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--seat", "X"), "--seat"),
        (("--turn", "99"), "--turn"),
    ],
)
def test_what_is_not_there_is_said(
    board: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], complaint: str
) -> None:
    assert main([MATCH, "-o", str(board), *options]) == 1
    assert complaint in capsys.readouterr().err
    assert not board.exists()


def test_a_missing_record_is_said(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nowhere.match", "-o", str(board)]) == 1
    assert "nowhere.match" in capsys.readouterr().err


def test_nothing_to_do_is_a_wrong_use() -> None:
    with pytest.raises(SystemExit):
        main([])
