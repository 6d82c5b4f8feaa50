import { byNoun, type MethodName, type Store } from '../../src/storage/store.js'

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
  return { ...byNoun(kinds, name => wrap(name, methods.get(name)!)), changes, backup, close }
}
