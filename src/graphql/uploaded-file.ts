/** A temporary file, which is there as long as the request is worked at. */
export class UploadedFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}
