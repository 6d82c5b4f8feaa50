/** Codes by which the file system says that a folder cannot be used. */
const UNUSABLE = new Set([
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'ENOENT',
  'ENOSPC',
  'EEXIST',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
])

/** The data folder cannot be used: the message names the setting and what is wrong. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

/** What `work` does in the data folder; trouble with the folder is thrown as a `DataFolderError`. */
export function inDataFolder<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw explained(folder, error)
  }
}

/** `error`, or the advice that it amounts to. */
export function explained(folder: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !UNUSABLE.has(code)) return error
  return new DataFolderError(`DATA_DIR is ${folder}, which cannot be used: ${message}`)
}
