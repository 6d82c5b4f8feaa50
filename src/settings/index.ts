/** All settings except the integrations', in the order of the documentation. */
import type { Setting } from '../lib/settings.js'
import { alertSettings } from './alerts.js'
import { incomingMailSettings } from './incoming-mail.js'
import { logSettings } from './log.js'
import { objectStorageSettings } from './object-storage.js'
import { operationSettings } from './operation.js'
import { outgoingMailSettings } from './outgoing-mail.js'
import { pageSettings } from './pages-and-api.js'
import { peopleSettings } from './people.js'
import { pingSettings } from './pings.js'
import { serverSettings } from './server.js'

export const SETTINGS = {
  ...serverSettings,
  ...pingSettings,
  ...incomingMailSettings,
  ...alertSettings,
  ...peopleSettings,
  ...pageSettings,
  ...outgoingMailSettings,
  ...operationSettings,
  ...objectStorageSettings,
  ...logSettings,
} satisfies Record<string, Setting>

export type SettingsTable = typeof SETTINGS
