// A reporter for `node --test` that writes of each failed test its file, its name and the first line of its error, so that
// they can stand at the very end of a long output, whose beginning is often cut off.

/** Yields a line per failed test. `source`: the events of `node:test`, which come file by file. */
export default async function* failedTests(source) {
  let waiting = []
  for await (const { type, data } of source) {
    if (type !== 'test:fail') continue
    const { cause, failureType } = data.details.error
    if (failureType !== 'subtestsFailed') waiting.push(`${data.name}: ${firstLine(cause)}`)
    // A suite fails after its tests, and the outermost suite is a test file.
    if (data.nesting > 0) continue
    for (const failure of waiting) yield `${data.name}: ${failure}\n`
    waiting = []
  }
}

function firstLine(cause) {
  const [line] = String(cause?.message ?? cause).split('\n')
  return line
}
