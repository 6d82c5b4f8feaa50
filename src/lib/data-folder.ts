/** Error codes that mean that a folder cannot be used. */
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

/** The data folder cannot be used. The message names the setting and the reason. */
export class DataFolderError extends Error {
  override readonly name = 'DataFolderError'
}

/** Runs `work`, which uses the data folder. Throws `DataFolderError` if the folder cannot be used. */
export function runInDataFolder<T>(folder: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toDataFolderError(folder, error)
  }
}

/** A `DataFolderError` if `error` means that the folder cannot be used; otherwise `error` itself. */
export function toDataFolderError(folder: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === undefined || !UNUSABLE.has(code)) return error
  return new DataFolderError(`DATA_DIR is ${folder}, which cannot be used: ${message}`)
}
