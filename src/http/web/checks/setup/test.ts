import { testChannel } from '../../../../actions/channels/test-channel.js'
import { limitAttempts } from '../../../../actions/people/sign-in/limit-attempts.js'
import { sayTested } from '../../channels/test.js'
import { seeOther, type WebContext } from '../../context.js'
import { requireUser } from '../../people/session.js'
import { loadCheckForChange } from '../load-check-for-change.js'
import { receiversOf } from './setup-data.js'

/** POST: sends a test notification to each of those that the alerts of a check are sent to. */
export async function testReceivers(c: WebContext): Promise<Response> {
  const { project, check, store, home } = await loadCheckForChange(c)
  const { clock, delivery } = c.var.deps
  const [channels, linked, policy] = await Promise.all([
    store.channels.list(project.id),
    store.channels.ofCheck(check.id),
    store.incidents.appliedPolicy(check.id),
  ])
  const own = linked.map(uuid => ({ uuid, on: true }))
  const receivers = receiversOf(channels, own, policy).filter(({ disabled }) => !disabled)
  const { uuid: user } = requireUser(c).user
  for (const { uuid } of receivers) {
    await limitAttempts(store, clock, { test: `${uuid}:${user}`, tests: user })
  }
  const results = await Promise.all(receivers.map(({ uuid }) => testChannel(delivery, uuid)))
  sayTested(c, results.flat())
  return seeOther(c, `${home}#step-test`)
}
