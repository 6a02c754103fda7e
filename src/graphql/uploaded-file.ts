import type { SourceFile } from "../connectors/source-file.ts";

/** The body of a request, which is in memory until the request is answered. */
export class UploadedFile {
  readonly file: SourceFile;

  constructor(file: SourceFile) {
    this.file = file;
  }
}
