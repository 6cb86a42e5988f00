/** The sandbox of a world was deleted or has expired while a call was in progress. */
export class WorldClosed extends Error {
  constructor() {
    super('This world was closed in the meantime. Try again.');
  }
}
