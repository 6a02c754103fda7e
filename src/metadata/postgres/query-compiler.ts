/** Gives columns the types that behave as on SQLite. */
import { type DataTypeNode, PostgresQueryCompiler } from "kysely";

/** The migrations use no other types. Only the definitions of columns have types. */
const TYPES: Readonly<Record<string, string>> = {
  // Ordered by bytes. Cursors depend on it, and a database may have any collation.
  text: 'text collate "C"',
  integer: "bigint",
};

export class MetadataQueryCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    this.append(TYPES[node.dataType] ?? node.dataType);
  }
}
