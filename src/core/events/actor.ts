/** Who made a change, as events keep it. */

/** `key`, `token`: a program; `link`: anyone with an address from a message; `command`: the operator, on the command line. */
export interface EventActor {
  kind: 'person' | 'token' | 'key' | 'link' | 'command'
  /** The UUID of a person or a token, the beginning of a key; null if it has none. */
  id: string | null
  /** What people know it by: an address, the name of a token. */
  name: string
  /** The address from which the request came; null for a command. */
  address: string | null
}

/** Who made a change, in words; null: Punctual itself. */
export function actorWords(actor: Pick<EventActor, 'kind' | 'id' | 'name'> | null): string {
  if (actor === null) return 'Punctual'
  const { kind, id, name } = actor
  if (kind === 'person') return name
  if (kind === 'key') return `API key ${id}…`
  if (kind === 'token') return `Token ${name}`
  return kind === 'link' ? 'A link in a message' : 'The command line'
}
