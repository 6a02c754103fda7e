"""Reads models as JSON from stdin, and prints what sqllineage says each of their columns is made from."""

import json
import sys

from sqllineage.core.metadata.dummy import DummyMetaDataProvider
from sqllineage.exceptions import InvalidSyntaxException, SQLLineageException
from sqllineage.runner import LineageRunner

project = json.load(sys.stdin)
dialect = project["dialect"]
relations = {".".join(relation["parts"]).lower(): relation for relation in project["relations"]}
provider = DummyMetaDataProvider(
    {name: [column["name"].lower() for column in relation["columns"]] for name, relation in relations.items()}
)
TARGET = "asked.model"


def trace(statement):
    runner = LineageRunner(statement, dialect=dialect, metadata_provider=provider)
    try:
        return runner.get_column_lineage()
    except InvalidSyntaxException:
        return None


def read(model):
    # It tells lineage of columns only of statements that write.
    columns = {}
    paths = trace("create table " + TARGET + " as " + model["sql"])
    # Not every dialect has the first form.
    if paths is None:
        paths = trace("insert into " + TARGET + " " + model["sql"])
    if paths is None:
        raise ValueError("the SQL cannot be parsed")
    for path in paths:
        source, target = path[0], path[-1]
        if str(target.parent).lower() != TARGET:
            continue
        found = columns.setdefault(target.raw_name.strip('"`[]').lower(), set())
        table = str(source.parent).lower().replace('"', "").replace("`", "")
        if source is not target and table in relations:
            found.add(table + "." + source.raw_name.strip('"`[]').lower())
    return {name: sorted(found) for name, found in columns.items()}


answers = {}
for model in project["models"]:
    try:
        answers[model["id"]] = {"columns": read(model)}
    except (SQLLineageException, KeyError, ValueError, RecursionError, AttributeError, IndexError) as error:
        answers[model["id"]] = {"error": type(error).__name__ + ": " + str(error)[:200]}
json.dump(answers, sys.stdout)
