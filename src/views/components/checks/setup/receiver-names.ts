import type { ShownSetup } from '../../../check-page.js'

/** Those that are sent the alerts of a check: `Ops pager and anna@example.org`. */
export function receiverNames({ receivers }: Pick<ShownSetup, 'receivers'>): string {
  const names = receivers.filter(({ disabled }) => !disabled).map(({ name }) => name)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
