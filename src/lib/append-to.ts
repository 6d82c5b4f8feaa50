/** Appends `value` to the list that `lists` has under `key`, which is made where there is none. */
export function appendTo<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}
