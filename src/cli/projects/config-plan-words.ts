import type { Api } from '../../client/index.js'

const SIGNS = { create: '+', adopt: '=', change: '~', delete: '-' }

/** The lines that say what a plan changes. Secrets are not shown. */
export function planLines({ steps, left }: Pick<Api.ConfigPlan, 'steps' | 'left'>): string[] {
  const lines = steps.flatMap(({ action, section, key, moved_from, fields }) => [
    `${SIGNS[action]} ${section}.${key}${moved_from === null ? '' : ` (was ${moved_from})`}${action === 'adopt' ? ' (from now on managed by this file)' : ''}`,
    ...fields.map(({ name, before, after, secret }) => {
      if (secret) return `    ${name}: (secret)`
      const shown = action === 'create' ? '' : `${JSON.stringify(before)} -> `
      return `    ${name}: ${shown}${JSON.stringify(after)}`
    }),
  ])
  const stays = left.map(
    ({ section, key }) => `  ${section}.${key} is not in the file any more; --prune deletes it`,
  )
  return [...lines, ...stays, summary(steps)]
}

function summary(steps: Api.ConfigPlan['steps']): string {
  const count = (...actions: string[]) => steps.filter(({ action }) => actions.includes(action)).length
  if (steps.length === 0) return 'No changes.'
  return `${count('create')} to create, ${count('change', 'adopt')} to change, ${count('delete')} to delete.`
}
