import type { ShownSilence } from '../../../core/silences/shown-silence.js'
import { stampOf } from '../../../core/silences/silence-words.js'
import type { ProjectAccess } from '../../../storage/people/access.js'
import type { ListedSilence } from '../../../views/components/silences/silence-table.js'
import { shownChannels } from '../checks/shown-channels.js'
import { path, type WebContext } from '../context.js'
import { versionOf } from '../live/live.js'

const PAGE = 50

/** What the page of silences shows at `now`. `before` in the address begins an older page. */
export async function silencesData(c: WebContext, project: ProjectAccess, now: number) {
  const { silences: store, channels } = c.var.deps.store
  const asked = c.req.query('before') ?? ''
  const before = /^\d{1,9}$/.test(asked) ? Number(asked) : null
  const [current, past, all] = await Promise.all([
    before === null ? store.list(project.id, now) : [],
    store.listPast(project.id, { now, before, most: PAGE }),
    channels.list(project.id),
  ])
  const names = new Map(shownChannels(all).map(({ uuid, name, label }) => [uuid, name || label]))
  const named = (silence: ShownSilence): ListedSilence => ({
    ...silence,
    channelNames: silence.namedChannels?.map(({ uuid, name }) => names.get(uuid) ?? name) ?? null,
  })
  const older = past.length === PAGE ? `/projects/${project.uuid}/silences/?before=${past.at(-1)!.id}` : null
  return {
    silences: current.map(named),
    past: past.map(named),
    older: older && path(c, older),
    version: versionOf([current.map(stampOf), past.map(stampOf), [...names]]),
  }
}
