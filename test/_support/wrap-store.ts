import { byNoun, type Store } from '../../src/storage/store.js'

type AnyMethod = (...args: unknown[]) => Promise<unknown>

/** The store with each method as `wrap` makes it of the method's name, such as `checks.pause`, and the method. */
export function wrapStore(store: Store, wrap: (name: string, method: AnyMethod) => AnyMethod): Store {
  const { backup, close, ...nouns } = store
  const methods = new Map(
    Object.entries(nouns).flatMap(([noun, ofNoun]) =>
      Object.entries(ofNoun).map(([name, method]): [string, AnyMethod] => [
        `${noun}.${name}`,
        method as AnyMethod,
      ]),
    ),
  )
  return { ...byNoun(methods.keys(), name => wrap(name, methods.get(name)!)), backup, close }
}
