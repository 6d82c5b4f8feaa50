import { isWrite } from '../../src/storage/method.js'
import { methods } from '../../src/storage/nouns.js'
import { byNoun, type MethodName, type Store } from '../../src/storage/store.js'
import type { Call, Turns } from '../../src/storage/turns.js'

/** The store, whose methods wait for these turns first. */
export function behindTurns(store: Store, turns: Turns): Store {
  const { changes, backup, close, ...nouns } = store
  // The store announces what it writes itself.
  const kinds = [...methods].map(
    ([name, { kind }]) => [name as MethodName, isWrite(kind) ? 'write' : kind] as const,
  )
  const bind = (name: MethodName): Call => {
    const [noun, method] = name.split('.') as [keyof typeof nouns, string]
    return (nouns[noun] as unknown as Record<string, Call>)[method]!
  }
  return { ...byNoun(kinds, bind, turns), changes, backup, close }
}
