import { checkLabel } from '../../../../core/alerts/alert.js'
import { undoableUntil } from '../../../../core/checks/undo.js'
import { makeChannels } from '../../channels/make.js'
import { askerOf, askOwner } from '../../channels/verify.js'
import type { WebContext } from '../../context.js'
import { seeOther } from '../../context.js'
import { setFlash } from '../../flash.js'
import { formOf } from '../../form.js'
import { loadCheckForChange } from '../load-check-for-change.js'
import { setUndoableFlash } from '../undoable.js'
import { ownAddress } from './setup-data.js'

/** POST: assigns the chosen channels to a check and no others, and adds the reader's address as a channel if asked. */
export async function chooseReceivers(c: WebContext): Promise<Response> {
  const { project, check, store, now, home } = await loadCheckForChange(c)
  const form = await formOf(c)
  const channels = await store.channels.list(project.id)
  const linked = await store.channels.ofCheck(check.id)
  const chosen = form.all('channel')
  const changed = channels.filter(({ uuid }) => chosen.includes(uuid) !== linked.includes(uuid))
  const steps = changed.map(({ uuid }) => ({
    did: 'channel' as const,
    check: check.uuid,
    channel: uuid,
    on: chosen.includes(uuid),
  }))
  for (const { channel, on } of steps) {
    await store.channels.switchForCheck(
      project.id,
      { check: check.uuid, channel },
      on,
      now,
      undoableUntil(now),
    )
  }
  const address = form.has('own_address') ? ownAddress(c, channels) : null
  const { check: known } = await store.checks.withChannels(project.id, { uuid: check.uuid }, now)
  if (address === null) {
    const text = `Saved the integrations of ${checkLabel(known)}.`
    await setUndoableFlash(c, project, text, { steps }, now)
  } else {
    const settings = { value: address, down: 'true', up: 'true' }
    const [made] = await makeChannels(c, project, 'email', [{ name: '', settings }])
    setFlash(c, 'good', `Alerts are sent to ${address}. Send a test to see that they arrive.`)
    const asker = askerOf(c)
    if (made!.toAsk !== null && asker) {
      await askOwner(c, { channelUuid: made!.uuid, address, project: project.name, asker })
    }
  }
  return seeOther(c, `${home}#step-test`)
}
