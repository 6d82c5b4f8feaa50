/** For resources that the test files of a process share, such as a server: closes them after the last file. */
const closings: (() => Promise<unknown>)[] = []

/** Calls `close` after the tests of all files of this process. */
export function atEnd(close: () => Promise<unknown>): void {
  closings.push(close)
}

/** For the file that runs the test files: see bin/group-tests.js. */
export async function closeShared(): Promise<void> {
  await Promise.all(closings.map(close => close()))
}
