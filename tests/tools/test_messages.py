"""Texts in the code, and what translators are told about them."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator

import pytest

from tools.messages import FIELDS, FILES, KINDS, ROOT, TEXTS, Text, meaning_of, texts, texts_in

SENTENCE = re.compile(r"[.?!:…]")

TYPED = ("Name of a command", "Name of an option")
"""How the kinds begin whose texts players type."""


def only(source: str) -> Text:
    """Return the only text of a module."""
    (text,) = texts_in(source, "bot/example.py")
    return text


@pytest.mark.parametrize(
    ("source", "forms", "context"),
    [
        ('_("Accept")', ("Accept",), ""),
        ('self.words._("One " "sentence.")', ("One sentence.",), ""),
        ('ngettext("day", "days", count)', ("day", "days"), ""),
        ('pgettext("noun", "Challenge")', ("Challenge",), "noun"),
        ('raise IllegalActionError("X1", "You can\'t.")', ("You can't.",), ""),
        ("f\"{_('Inside')} and more\"", ("Inside",), ""),
    ],
)
def test_texts_are_found(source: str, forms: tuple[str, ...], context: str) -> None:
    text = only(source)
    assert (text.forms, text.context) == (forms, context)


@pytest.mark.parametrize(
    "source", ["_(words)", "_('')", "pgettext(context, words)", "IllegalActionError(rule)", "f(1)"]
)
def test_calls_without_a_text_are_passed_over(source: str) -> None:
    assert not [*texts_in(source, "bot/example.py")]


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ('button(_("Accept"), Id())', KINDS["button", 0]),
        ('button(_("{n} of").format(n=1), Id())', KINDS["button", 0]),
        ('button(label, Id(_("Accept")))', ""),
        ('command(name=N_("draw"), description=text)', KINDS["command", "name"]),
        ('Verb(N_("move"), N_("Move a die"), ())', ""),
        ('Setting(N_("Rated"), values)', KINDS["Setting", 0]),
        ('Setting(title, {"on": N_("yes")})', KINDS["Setting", 1]),
        ('note(_("Accept"))', ""),
    ],
)
def test_kind_follows_from_the_call_around_a_text(source: str, kind: str) -> None:
    first, *_others = texts_in(source, "bot/example.py")
    assert first.kinds == ((kind,) if kind else (KINDS["Verb", 0],) * source.startswith("Verb"))


@pytest.mark.parametrize(
    "source",
    [
        '# Translators: a coin\n_("head")',
        'WORDS = {\n    # Translators: a coin\n    "head": _("head"),\n}',
        '# Translators: a coin\nWORDS = {\n    "head": _("head"),\n}',
    ],
)
def test_comments_for_translators_are_kept(source: str) -> None:
    assert only(source).comments == ("Translators: a coin",)


def test_comment_of_several_lines_is_one() -> None:
    source = '# Translators: one side\n# of a coin\nWORD = _("head")  # and no more'
    assert only(source).comments == ("Translators: one side of a coin",)


def test_other_comments_are_passed_over() -> None:
    assert only('# a coin\nWORD = _("head")').comments == ()


def test_every_field_is_explained() -> None:
    unknown = {
        (text.file, field, text.forms[-1])
        for text in texts()
        for field in text.fields
        if not meaning_of(field, text.file)
    }
    assert not unknown, "say in tools/translators.toml what the field holds"


def test_every_short_text_has_a_context_or_a_note() -> None:
    short = {
        text.forms[0]
        for text in texts()
        if not text.context
        if len(text.forms[0].split()) <= 2 and not SENTENCE.search(text.forms[0])
    }
    bare = short - {text.forms[0] for text in texts() if text.notes}
    assert not bare, "use pgettext or NC_, or say in tools/translators.toml what the text is"


def test_every_count_has_plural_forms() -> None:
    single = {
        (text.file, text.forms[0])
        for text in texts()
        if len(text.forms) == 1
        if any(meaning_of(field, text.file).startswith("count of") for field in text.fields)
    }
    assert not single, "use ngettext or NP_; a number that counts nothing is called {number}"


def joined(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that join words by a comma, *and* or *or*, but for messages of errors."""
    if isinstance(tree, ast.Raise) or (
        isinstance(tree, ast.FunctionDef) and tree.name == "__repr__"
    ):
        return
    match tree:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=", " | " and " | " or "))):
            yield tree
    for child in ast.iter_child_nodes(tree):
        yield from joined(child)


@pytest.mark.parametrize("folder", ["bot/features", "bot/interactions", "bot/views", "render"])
def test_lists_are_joined_as_the_language_does(folder: str) -> None:
    places = {
        f"{path}:{call.lineno}"
        for path in (ROOT / folder).rglob("*.py")
        for call in joined(ast.parse(path.read_text("utf-8")))
        if path.name != "service.py"
    }
    assert not places, "use format_list"


def test_comma_between_words_is_found() -> None:
    source = 'f(", ".join(words))\nraise ValueError(", ".join(words))\n"; ".join(parts)'
    assert [call.lineno for call in joined(ast.parse(source))] == [1]


def test_names_that_are_typed_are_no_other_texts() -> None:
    """A text with two meanings needs a context for all but the name of a command or option."""
    kinds = defaultdict(set)
    for text in texts():
        kinds[text.context, text.forms].add(bool(text.kinds) and text.kinds[0].startswith(TYPED))
    both = [words for words, typed in kinds.items() if len(typed) > 1]
    assert not both, "use pgettext or NC_ where it is no name"


def test_every_explanation_is_used() -> None:
    fields = {(text.file, field) for text in texts() for field in text.fields}
    tables = {
        (place, field)
        for place, meanings in FIELDS.items()
        for field in meanings
        if not any(
            name == field and meaning_of(field, file) == meanings[field] for file, name in fields
        )
    }
    assert not tables
    assert set(TEXTS) <= {text.forms[0] for text in texts() if not text.context}
    assert set(FILES) <= {text.file for text in texts()}
