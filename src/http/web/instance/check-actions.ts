import { may } from '../../../core/people/role.js'
import { folded, matchWords } from '../../../core/text/match-words.js'
import type { SearchedCheck } from '../../../storage/checks/search-checks.js'
import type { ProjectEntry } from '../../../storage/people/access.js'
import { SNOOZES } from '../../../views/components/silences/snooze-buttons.js'
import type { FoundOption } from '../../../views/search-results.js'
import type { WebContext } from '../context.js'

/** A check with its project, in which the reader has a role. */
export type ActionCheck = SearchedCheck & { of: ProjectEntry }

/** What the actions on a check are about besides the check. */
interface Facts {
  pingUrl: string
  /** The number of its latest failure. */
  failure: number | null
  /** Its open incident. */
  incident: { id: number; acknowledged: boolean } | null
}

interface CheckAction {
  label: string
  /** Other words by which it is found. */
  words: string
  /** Whether readers who may not change the check can use it. */
  reads?: boolean
  /** What happens; null if it cannot be done now. */
  option(check: ActionCheck, facts: Facts): DistributiveOmit<FoundOption, 'label' | 'detail'> | null
}

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never

const at = ({ uuid }: ActionCheck, path: string) => `/checks/${uuid}/${path}`

const ACTIONS: readonly CheckAction[] = [
  {
    label: 'Acknowledge',
    words: 'ack incident',
    option: ({ project }, { incident }) => {
      if (!incident || incident.acknowledged) return null
      const value = `${project}:${incident.id}`
      return { kind: 'action', path: '/incidents/acknowledge/', name: 'incident', value }
    },
  },
  {
    label: 'Open last failure',
    words: 'show output log',
    reads: true,
    option: (check, { failure }) =>
      failure === null ? null : { kind: 'page', path: at(check, `pings/${failure}/`) },
  },
  {
    label: 'Open incident',
    words: 'show',
    reads: true,
    option: ({ project }, { incident }) =>
      incident && { kind: 'page', path: `/projects/${project}/incidents/${incident.id}/` },
  },
  ...Object.entries(SNOOZES).map(
    ([value, words]): CheckAction => ({
      label: words.startsWith('until') ? `Snooze ${words}` : `Snooze for ${words}`,
      words: 'silence mute',
      option: check => ({ kind: 'action', path: at(check, 'snooze/'), name: 'for', value }),
    }),
  ),
  {
    label: 'Pause',
    words: 'stop',
    option: check => (check.status === 'paused' ? null : { kind: 'action', path: at(check, 'pause/') }),
  },
  {
    label: 'Resume',
    words: 'unpause continue',
    option: check => (check.status === 'paused' ? { kind: 'action', path: at(check, 'resume/') } : null),
  },
  {
    label: 'Copy ping URL',
    words: 'address',
    option: (_, { pingUrl }) => ({ kind: 'copy', text: pingUrl }),
  },
  {
    label: 'Edit schedule',
    words: 'change period grace cron',
    option: check => ({ kind: 'page', path: at(check, 'edit/#schedule') }),
  },
  {
    label: 'Edit',
    words: 'change settings name tags',
    option: check => ({ kind: 'page', path: at(check, 'edit/') }),
  },
]

/**
 * The actions on checks that match `words`, all if there are none; only what the reader may do and what can be done
 * now. Those on several checks say which.
 */
export async function actionsOn(
  c: WebContext,
  checks: readonly ActionCheck[],
  words: readonly string[],
): Promise<FoundOption[]> {
  const wanted = ACTIONS.filter(action => words.length === 0 || matchWords(textOf(action), words) > 0)
  const options: FoundOption[] = []
  for (const check of checks) {
    const facts = await factsOf(c, check)
    for (const action of wanted) {
      if (!action.reads && !may(check.of.role, 'write')) continue
      const option = action.option(check, facts)
      if (option)
        options.push({
          label: action.label,
          ...(checks.length > 1 ? { detail: check.name } : {}),
          ...option,
        })
    }
  }
  return options
}

/** How many of the words, from the first on, name an action: 1 of `pause backup`. */
export function namesAction(words: readonly string[]): number {
  for (let count = words.length; count > 0; count--) {
    const asked = words.slice(0, count)
    const named = (one: CheckAction) =>
      textOf(one)
        .split(/\s/)
        .some(part => part.startsWith(asked[0]!))
    if (ACTIONS.some(action => named(action) && matchWords(textOf(action), asked) > 0)) return count
  }
  return 0
}

async function factsOf(c: WebContext, { id, uuid, of }: ActionCheck): Promise<Facts> {
  const { store, config, clock } = c.var.deps
  const [failure, [incident]] = await Promise.all([
    store.pings.lastFailure(id),
    store.incidents.ofCheck({ id, projectId: of.id }, 1, clock.now()),
  ])
  const isOpen = incident?.closedAt === null
  return {
    pingUrl: config.PING_ENDPOINT + uuid,
    failure,
    incident: isOpen ? { id: incident.id, acknowledged: incident.acknowledged !== null } : null,
  }
}

function textOf({ label, words }: CheckAction): string {
  return folded(`${label}\n${words}`)
}
