import type { TestContext } from 'node:test'

/** More than a look at what a caller may do counts, in ms, see src/http/acting-deps.ts. */
const LONG_MS = 200

/** Until the test ends, each write of a request looks again at what its caller may do, as if it had waited. */
export function makeLooksStale(t: TestContext): void {
  const now = performance.now.bind(performance)
  let passed = 0
  t.mock.method(performance, 'now', () => {
    passed += LONG_MS
    return now() + passed
  })
}
