import type { Noun } from '../../src/storage/events/acting.js'
import { byNoun, type MethodName, type Store } from '../../src/storage/store.js'
import { Turns } from '../../src/storage/turns.js'

type AnyMethod = (...args: unknown[]) => Promise<unknown>

/** The store with every method replaced by `wrap(name, method)`, where the name is such as `checks.pause`. */
export function wrapStore(store: Store, wrap: (name: string, method: AnyMethod) => AnyMethod): Store {
  const { changes, backup, close, ...nouns } = store
  const methods = new Map(
    Object.entries(nouns).flatMap(([noun, ofNoun]) =>
      Object.entries(ofNoun).map(([name, method]): [string, AnyMethod] => [
        `${noun}.${name}`,
        method as AnyMethod,
      ]),
    ),
  )
  const kinds = [...methods.keys()].map(name => [name as MethodName, 'write'] as const)
  const bind = (name: MethodName) =>
    async function (this: Noun | undefined, ...args: unknown[]) {
      return await wrap(name, (...passed) => methods.get(name)!.apply(this, passed)).apply(this, args)
    }
  // The store's own calls have their turns.
  const turns = new Turns({ inAll: Number.POSITIVE_INFINITY, perKey: Number.POSITIVE_INFINITY })
  return { ...byNoun(kinds, bind, turns), changes, backup, close }
}
