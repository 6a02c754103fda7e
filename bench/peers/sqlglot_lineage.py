"""Reads models as JSON from stdin, and prints what sqlglot says each of their columns is made from."""

import json
import sys

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.lineage import lineage
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import build_scope

project = json.load(sys.stdin)
dialect = project["dialect"]
schema = {}
for relation in project["relations"]:
    # sqlglot refuses a table without columns.
    if not relation["columns"]:
        continue
    level = schema
    for part in relation["parts"]:
        level = level.setdefault(part.lower(), {})
    level.update({column["name"].lower(): column["type"] or "text" for column in relation["columns"]})


def leaves(node):
    """The columns of tables that a column is made from; a leaf without a table is a constant."""
    found = set()
    for each in node.walk():
        if each.downstream or not isinstance(each.expression, exp.Table):
            continue
        table = each.expression
        parts = [part.name.lower() for part in table.parts]
        found.add(".".join([*parts, each.name.split(".")[-1].strip('"').lower()]))
    return sorted(found)


def read(model):
    expression = qualify(
        exp.maybe_parse(model["sql"], dialect=dialect),
        dialect=dialect,
        schema=schema,
        identify=False,
        quote_identifiers=False,
        validate_qualify_columns=False,
    )
    scope = build_scope(expression)
    names = [name for name in expression.named_selects if name != "*"]
    return {
        name.lower(): leaves(lineage(name, expression, schema=schema, dialect=dialect, scope=scope)) for name in names
    }


answers = {}
for model in project["models"]:
    try:
        answers[model["id"]] = {"columns": read(model)}
    except (SqlglotError, KeyError, ValueError, RecursionError) as error:
        answers[model["id"]] = {"error": type(error).__name__ + ": " + str(error)[:200]}
json.dump(answers, sys.stdout)
