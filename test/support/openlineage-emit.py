"""Sends the events of a job's run with OpenLineage's own client: facets, column lineage, a failure and a batch."""

import sys
from datetime import datetime, timezone

from openlineage.client import OpenLineageClient
from openlineage.client.event_v2 import InputDataset, Job, OutputDataset, Run, RunEvent, RunState
from openlineage.client.facet_v2 import (
    column_lineage_dataset,
    documentation_dataset,
    error_message_run,
    ownership_job,
    parent_run,
    schema_dataset,
    sql_job,
)

client = OpenLineageClient()
NAMESPACE = "postgres://db.example.com:5432"
RUNS = {"load": "0190b1a6-4d1c-7c51-9d6e-5f0e7a2b9c31", "broken": "0190b1a6-4d1c-7c51-9d6e-5f0e7a2b9c32"}

Fields = column_lineage_dataset.Fields
orders = InputDataset(
    namespace=NAMESPACE,
    name="shop.raw.orders",
    facets={
        "schema": schema_dataset.SchemaDatasetFacet(
            fields=[
                schema_dataset.SchemaDatasetFacetFields(name="id", type="bigint"),
                schema_dataset.SchemaDatasetFacetFields(name="amount", type="numeric", description="In euros"),
            ]
        )
    },
)
totals = OutputDataset(
    namespace=NAMESPACE,
    name="shop.mart.totals",
    facets={
        "documentation": documentation_dataset.DocumentationDatasetFacet(description="Total of each day"),
        "schema": schema_dataset.SchemaDatasetFacet(
            fields=[schema_dataset.SchemaDatasetFacetFields(name="total", type="numeric")]
        ),
        "columnLineage": column_lineage_dataset.ColumnLineageDatasetFacet(
            fields={
                "total": Fields(
                    inputFields=[
                        column_lineage_dataset.InputField(namespace=NAMESPACE, name="shop.raw.orders", field="amount")
                    ]
                )
            }
        ),
    },
)
load = Job(
    namespace="nightly",
    name="load_totals",
    facets={
        "sql": sql_job.SQLJobFacet(query="insert into mart.totals select sum(amount) from raw.orders"),
        "ownership": ownership_job.OwnershipJobFacet(
            owners=[ownership_job.Owner(name="user:ines@example.com", type="MAINTAINER")]
        ),
    },
)
parent = parent_run.ParentRunFacet(
    run=parent_run.Run(runId=RUNS["load"]), job=parent_run.Job(namespace="nightly", name="nightly_dag")
)


def emit(state, run, job, inputs=(), outputs=(), facets=None):
    client.emit(
        RunEvent(
            eventType=state,
            eventTime=datetime.now(timezone.utc).isoformat(),
            run=Run(runId=RUNS[run], facets=facets or {}),
            job=job,
            inputs=list(inputs),
            outputs=list(outputs),
            producer="https://example.com/nightly",
        )
    )


emit(RunState.START, "load", load, [orders], facets={"parent": parent})
emit(RunState.RUNNING, "load", load)
emit(RunState.COMPLETE, "load", load, outputs=[totals], facets={"parent": parent})
broken = Job(namespace="nightly", name="broken")
emit(RunState.START, "broken", broken, [orders], [OutputDataset(namespace=NAMESPACE, name="shop.mart.never")])
error = error_message_run.ErrorMessageRunFacet(message="out of memory", programmingLanguage="python")
emit(RunState.FAIL, "broken", broken, facets={"errorMessage": error})
client.close()
