/** A temporary file, which exists until the request is answered. */
export class UploadedFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}
