/** The error of a channel whose recipient has not agreed. Source: docs/behaviour.md, section 8.7. */
export const NOT_CONFIRMED = 'Email not verified'

/** Why nothing can be sent through a channel; empty if it is usable. */
export function whyUnusable(
  channel: { kind: string; disabled: boolean; confirmed: boolean },
  isKnownKind: boolean,
): string {
  if (!isKnownKind) return `This version knows no integration "${channel.kind}"`
  if (channel.disabled) return 'The integration is disabled'
  return channel.confirmed ? '' : NOT_CONFIRMED
}
