/** What the test files of a process share, such as a server: it is closed when the last of them is over. */
const closings: (() => Promise<unknown>)[] = []

/** Calls `close` once the tests of all files of this process are over. */
export function atEnd(close: () => Promise<unknown>): void {
  closings.push(close)
}

/** For the file that runs the test files: see bin/group-tests.js. */
export async function closeShared(): Promise<void> {
  await Promise.all(closings.map(close => close()))
}
