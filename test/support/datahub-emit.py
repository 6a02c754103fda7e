"""Sends with the emitters of DataHub's SDK, in both forms: values, patches, an older event and a removal."""

import os
import sys

from datahub.emitter.mce_builder import make_dataset_urn, make_tag_urn
from datahub.emitter.mcp import MetadataChangeProposalWrapper
from datahub.emitter.rest_emitter import DatahubRestEmitter
from datahub.metadata.schema_classes import (
    ChangeTypeClass,
    DatasetPropertiesClass,
    DatasetSnapshotClass,
    MetadataChangeEventClass,
    StatusClass,
    SystemMetadataClass,
    TagAssociationClass,
    UpstreamClass,
)
from datahub.specific.dataset import DatasetPatchBuilder

form = sys.argv[1]
emitter = DatahubRestEmitter(
    os.environ["DATAHUB_GMS_URL"], token=os.environ["DATAHUB_GMS_TOKEN"], openapi_ingestion=form == "openapi"
)
emitter.test_connection()


def urn(name):
    return make_dataset_urn("hive", f"{form}.{name}")


def seen():
    return SystemMetadataClass(lastObserved=1767225600000, pipelineName=form)


def value(name, aspect):
    return MetadataChangeProposalWrapper(entityUrn=urn(name), aspect=aspect, systemMetadata=seen())


emitter.emit(value("orders", DatasetPropertiesClass(name="orders", description="Größe – 尺寸")))
emitter.emit_mcps([value(name, StatusClass(removed=False)) for name in ("raw", "removed", "deleted")])
patches = (
    DatasetPatchBuilder(urn("orders"), system_metadata=seen())
    .add_tag(TagAssociationClass(make_tag_urn("pii")))
    .add_upstream_lineage(UpstreamClass(dataset=urn("raw"), type="TRANSFORMED"))
    .build()
)
emitter.emit_mcps(list(patches))
snapshot = DatasetSnapshotClass(urn=urn("snapshot"), aspects=[StatusClass(removed=False)])
emitter.emit(MetadataChangeEventClass(proposedSnapshot=snapshot, systemMetadata=seen()))
emitter.emit_mcp(
    MetadataChangeProposalWrapper(
        entityUrn=urn("deleted"), entityType="dataset", aspectName="datasetKey", changeType=ChangeTypeClass.DELETE
    )
)
emitter.to_graph().soft_delete_entity(urn("removed"))
emitter.close()
