import * as alerts from './alerts/methods.js'
import * as channels from './channels/methods.js'
import * as checks from './checks/methods.js'
import * as events from './events/methods.js'
import * as incidents from './incidents/methods.js'
import * as instance from './instance/methods.js'
import type { Method } from './method.js'
import * as people from './people/methods.js'
import * as pings from './pings/methods.js'
import * as projects from './projects/methods.js'
import * as reports from './reports/methods.js'
import * as silences from './silences/methods.js'

/** The exports of the store's nouns: their methods, and what only storage uses. */
export const nouns = {
  alerts,
  channels,
  checks,
  events,
  incidents,
  instance,
  people,
  pings,
  projects,
  reports,
  silences,
}

/** Every method of the store by its name, such as `checks.pause`. */
export const methods: ReadonlyMap<string, Method> = new Map(
  Object.entries(nouns).flatMap(([noun, exports]) =>
    Object.entries(exports).flatMap(([name, value]): [string, Method][] =>
      typeof value === 'function' && 'kind' in value ? [[`${noun}.${name}`, value as Method]] : [],
    ),
  ),
)
