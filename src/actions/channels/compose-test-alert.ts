import type { Alert } from '../../core/alerts/alert.js'
import { type Check, NEW_STATE } from '../../core/checks/check.js'
import { DEFAULT_SETTINGS } from '../../core/checks/check-fields.js'
import { checkJson } from '../../core/wire/check.js'
import { newUuid } from '../../lib/secrets/secrets.js'
import { ALONE, type ComposeDeps } from '../alerts/compose-alert.js'

const DAY_MS = 86_400_000

/** An alert about a check that does not exist: named TEST, pinged 42 times, last a day ago. */
export function composeTestAlert(
  deps: Pick<ComposeDeps, 'clock' | 'site' | 'links'>,
  status: 'up' | 'down',
): Alert {
  const now = deps.clock.now()
  const check: Check = {
    ...DEFAULT_SETTINGS,
    ...NEW_STATE,
    uuid: newUuid(),
    uniqueKey: '0'.repeat(40),
    badgeKey: newUuid(),
    createdAt: now - 42 * DAY_MS,
    name: 'TEST',
    slug: 'test',
    status,
    statusSince: now,
    nPings: 42,
    lastPing: now - DAY_MS,
  }
  const down = status === 'down'
  return {
    type: 'alert',
    status,
    flip: {
      createdAt: now,
      oldStatus: down ? 'up' : 'down',
      newStatus: status,
      reason: down ? 'missed' : '',
    },
    now,
    check,
    checkJson: checkJson(check, [], { ...deps.links, version: 3, access: 'rw', now, hold: null }),
    checkUrl: deps.site.root,
    project: { name: 'TEST', url: deps.site.root },
    lastPing: {
      n: 42,
      action: 'success',
      at: now - DAY_MS,
      exitStatus: null,
      scheme: 'http',
      method: 'GET',
      remoteAddr: null,
      ua: '',
      durationMs: null,
      body: null,
    },
    downtimeMs: down ? null : DAY_MS,
    ...ALONE,
    test: true,
    site: deps.site,
  }
}
