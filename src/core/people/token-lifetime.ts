/** How long an API token can last. */

const DAY_MS = 86_400_000

/** The choices of forms and of the command: days, or `never`. */
export const TOKEN_LIFETIMES = ['30', '90', '365', 'never'] as const

export type TokenLifetime = (typeof TOKEN_LIFETIMES)[number]

/** When a token that is made `now` expires (ms UTC); null: never. */
export function expiryAfter(lifetime: TokenLifetime, now: number): number | null {
  return lifetime === 'never' ? null : now + Number(lifetime) * DAY_MS
}
