"""The mutants of a module: small changes of its syntax tree, in a fixed order.

Annotations, docstrings, imports, texts with spaces, arguments of log calls, and code for the type
checker stay unchanged.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import sha1
from typing import Any

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}

UNORDERED = frozenset({"and_", "or_", "where", "max", "min", "gather", "isinstance"})
"""Functions whose arguments are left out, one at a time; other functions' are swapped."""

LOGGERS = frozenset({"logger", "_log", "log", "logging"})
UNTOUCHED_FIELDS = frozenset({"annotation", "returns", "decorator_list", "bases"})
UNTOUCHED_NODES = (ast.Import, ast.ImportFrom, ast.JoinedStr, ast.Global, ast.Nonlocal)
PLAIN_DECORATORS = frozenset({"property", "staticmethod", "classmethod"})
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


Place = tuple[ast.AST, str, int | None]
"""A node: its parent, the parent's field, and the place in it if it is a list."""


@dataclass
class Mutant:
    """A change of one node.

    Attributes:
        function: the name of the outermost function around it, `Class.name` of a method; or empty.
        is_inside: whether only the code of that function changes, not what it is by its import.
        block: the block of that function it is in, see `blocks`.
        unit: the text of that function, or of the statement outside of functions.
        line: number of the node's line.
        text: the code before and after the change.
    """

    function: str
    is_inside: bool
    block: int
    unit: str
    line: int
    column: int
    operator: str
    text: str
    plant: Callable[[], None]

    @property
    def name(self) -> str:
        return f"{self.line}:{self.column} {self.operator}: {self.text}"

    def key(self, module: str, number: int) -> str:
        """Return a name that stays when lines move, but not when the function changes."""
        text = f"{module} {self.unit} {number} {self.operator} {self.text}"
        return sha1(text.encode(), usedforsecurity=False).hexdigest()[:16]


def mutants(source: str) -> tuple[ast.Module, list[Mutant]]:
    """Return the tree of a module and all its mutants."""
    tree = ast.parse(source)
    return tree, [mutant for unit, name in units(tree.body) for mutant in _of_unit(unit, name)]


def units(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[Any, str]]:
    """Yield the statements of a module or class, functions with their names."""
    for unit in body:
        if isinstance(unit, ast.ClassDef):
            yield from units(unit.body, f"{unit.name}.")
        elif not _is_left(unit):
            yield unit, prefix + unit.name if isinstance(unit, FUNCTIONS) else ""


def _of_unit(unit: ast.stmt, function: str) -> Iterator[Mutant]:
    text = ast.unparse(unit)
    body = unit.body if isinstance(unit, FUNCTIONS) and _is_plain(unit) else []
    inside = {node for statement in body for node in ast.walk(statement)}
    begins = blocks(unit) if isinstance(unit, FUNCTIONS) else {}
    for node, place in _nodes(unit):
        old = ast.unparse(node)
        for operator, new in (*_statements(node), *_conditions(place, node), *_expressions(node)):
            ast.fix_missing_locations(ast.copy_location(new, node))
            if (changed := ast.unparse(new)) != old:
                change = f"{_short(old)} → {_short(changed)}"
                plant = partial(_plant, place, new)
                line, column = node.lineno, node.col_offset
                yield Mutant(
                    function,
                    node in inside,
                    begins.get(node, 0),
                    text,
                    line,
                    column,
                    operator,
                    change,
                    plant,
                )


def blocks(function: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[ast.AST, int]:
    """Return the block of each node within a function.

    A block is statements that follow each other without a branch, and the conditions and loops at
    its end. It is named by its first line, counted from the line of the function, so that its name
    stays when other functions change.
    """
    by_node: dict[ast.AST, int] = {}
    _find_blocks(function, 0, function.lineno, by_node)
    return by_node


def _find_blocks(node: ast.AST, block: int, line: int, by_node: dict[ast.AST, int]) -> None:
    for _, value in ast.iter_fields(node):
        inner = block
        previous: ast.AST | None = None
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST):
                continue
            if isinstance(child, ast.stmt) and (previous is None or _branches(previous)):
                inner = child.lineno - line
            previous = child
            by_node[child] = inner
            _find_blocks(child, inner, line, by_node)


def _branches(statement: ast.AST) -> bool:
    return hasattr(statement, "body") or isinstance(statement, ast.Match)


def _is_plain(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a function can be found and changed after its import."""
    return all(ast.unparse(decorator) in PLAIN_DECORATORS for decorator in function.decorator_list)


def _nodes(parent: ast.AST) -> Iterator[tuple[Any, Place]]:
    """Yield the expressions and statements below a node that may be changed."""
    for field, value in ast.iter_fields(parent):
        if field in UNTOUCHED_FIELDS:
            continue
        for index, node in enumerate(value if isinstance(value, list) else [value]):
            if not isinstance(node, ast.AST) or _is_left(node):
                continue
            if isinstance(node, ast.expr | ast.stmt):
                yield node, (parent, field, index if isinstance(value, list) else None)
            yield from _nodes(node)


def _is_left(node: ast.AST) -> bool:
    """Return whether a node is left as it is."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name in LOGGERS
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Call(func=ast.Name(id="TypeVar" | "getLogger" | "cast")):
            return True
    return isinstance(node, UNTOUCHED_NODES)


def _plant(place: tuple[Any, str, int | None], new: ast.AST) -> None:
    parent, field, index = place
    if index is None:
        setattr(parent, field, new)
    else:
        getattr(parent, field)[index] = new


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 100 else text[:60] + " … " + text[-37:]


def _statements(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Delete() | ast.Continue():
            yield "statement deletion", ast.Pass()
        case ast.Break():
            yield "statement deletion", ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript() | ast.Tuple(), *_]):
            if "." in ast.unparse(node.targets[0]) or "[" in ast.unparse(node.targets[0]):
                yield "statement deletion", ast.Pass()
        case ast.Return(value=None):
            yield "statement deletion", ast.Pass()
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield "return value", ast.Return(ast.Constant(None))
    if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        op = ARITHMETIC[type(node.op)]()
        yield "arithmetic", ast.AugAssign(node.target, op, node.value)


def _conditions(place: Place, node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the negation of a condition, unless the change of its operator is the same."""
    parent, field, _ = place
    is_test = field == "test" or (field == "ifs" and isinstance(parent, ast.comprehension))
    if not is_test or (isinstance(node, ast.Compare) and len(node.ops) == 1):
        return
    if isinstance(node, ast.expr) and not isinstance(node, ast.UnaryOp):
        yield "condition negation", ast.UnaryOp(ast.Not(), node)


def _expressions(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.Compare(left, ops, comparators):
            for place, op in enumerate(ops):
                for other in COMPARISONS[type(op)]:
                    changed = [*ops[:place], other(), *ops[place + 1 :]]
                    yield "comparison", ast.Compare(left, changed, comparators)
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            yield "arithmetic", ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.BoolOp(op, values):
            yield "boolean", ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
            for place in range(len(values)):
                others = [*values[:place], *values[place + 1 :]]
                yield "boolean", ast.BoolOp(op, others) if len(others) > 1 else others[0]
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield "boolean" if isinstance(node.op, ast.Not) else "arithmetic", operand
        case ast.Constant():
            yield from _constants(node.value)
        case ast.Call(args=[_, _, *_]) if not any(isinstance(a, ast.Starred) for a in node.args):
            yield from _arguments(node)


def _constants(value: object) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(value, bool):
        yield "constant", ast.Constant(not value)
    elif isinstance(value, int | float):
        yield "constant", ast.Constant(value + 1)
    elif isinstance(value, str):
        if not value:
            yield "constant", ast.Constant("?")
        elif " " not in value:
            yield "constant", ast.Constant("")


def _arguments(call: ast.Call) -> Iterator[tuple[str, ast.AST]]:
    args = call.args
    if ast.unparse(call.func).rpartition(".")[2] in UNORDERED:
        for place in range(len(args)):
            others = [*args[:place], *args[place + 1 :]]
            yield "argument deletion", ast.Call(call.func, others, call.keywords)
        return
    for place in range(len(args) - 1):
        one, other = args[place : place + 2]
        if type(one) is type(other) and not isinstance(one, ast.Constant):
            swapped = [*args[:place], other, one, *args[place + 2 :]]
            yield "argument swap", ast.Call(call.func, swapped, call.keywords)
