"""Reads models as JSON from stdin, and prints what DataHub's SQL parser says each of their columns is made from."""

import json
import sys

from datahub.sql_parsing._models import _TableName
from datahub.sql_parsing.schema_resolver import SchemaResolver
from datahub.sql_parsing.sqlglot_lineage import sqlglot_lineage

project = json.load(sys.stdin)
resolver = SchemaResolver(platform=project["dialect"], env="PROD")
by_urn = {}
for relation in project["relations"]:
    parts = [None, None, *[part.lower() for part in relation["parts"]]][-3:]
    urn = resolver.get_urn_for_table(_TableName(database=parts[0], db_schema=parts[1], table=parts[2]), lower=True)
    by_urn[urn] = ".".join(relation["parts"]).lower()
    if relation["columns"]:
        types = {column["name"].lower(): column["type"] or "text" for column in relation["columns"]}
        resolver.add_raw_schema_info(urn, types)


def read(model):
    result = sqlglot_lineage(model["sql"], schema_resolver=resolver)
    error = result.debug_info.error or (result.column_lineage is None and "no lineage of columns")
    if error:
        raise ValueError(error)
    return {
        info.downstream.column.lower(): sorted(
            by_urn[ref.table] + "." + ref.column.lower() for ref in info.upstreams if ref.table in by_urn
        )
        for info in result.column_lineage
    }


answers = {}
for model in project["models"]:
    try:
        answers[model["id"]] = {"columns": read(model)}
    except Exception as error:
        answers[model["id"]] = {"error": type(error).__name__ + ": " + str(error)[:200]}
json.dump(answers, sys.stdout)
