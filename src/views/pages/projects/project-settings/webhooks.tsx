import type { Webhook } from '../../../../core/events/webhook.js'
import { plural } from '../../../../core/text/plural.js'
import { ButtonLink } from '../../../components/forms/button.js'
import { Table } from '../../../components/table.js'
import { Time } from '../../../components/time.js'
import { link, type PageContext } from '../../../page-context.js'
import type { ProjectSettings } from './settings.js'

/** The event webhooks of a project. */
export function Webhooks({ page, project, webhooks }: ProjectSettings) {
  const path = `/projects/${project.uuid}/webhooks/`
  return (
    <section class="section" id="webhooks">
      <h2>Event webhooks</h2>
      <p class="muted">
        A webhook sends your programs what happens in this project: every change, and every check that goes
        down. <a href={link(page, '/docs/event-webhooks/')}>How it works</a>
      </p>
      {webhooks.length > 0 ? (
        <Table
          caption="Event webhooks"
          columns={[
            { title: 'Event webhook', grow: true },
            { title: 'Events', align: 'right' },
          ]}
        >
          {webhooks.map(webhook => (
            <tr>
              <td class="grow breakable">
                <a href={link(page, `${path}${webhook.uuid}/`)}>{webhook.name}</a>
                <span class="help">{new URL(webhook.url).host}</span>
                <span class="help">
                  <WebhookState page={page} webhook={webhook} />
                </span>
              </td>
              <td class="right">
                {webhook.types.length === 0 ? 'All' : plural(webhook.types.length, 'type')}
              </td>
            </tr>
          ))}
        </Table>
      ) : null}
      <p class="form-end after-table">
        <ButtonLink href={link(page, `${path}add/`)}>New event webhook</ButtonLink>
      </p>
    </section>
  )
}

/** Whether events arrive. */
export function WebhookState({ page, webhook }: { page: PageContext; webhook: Webhook }) {
  const { enabled, failingSince, lastError, lastSent } = webhook
  if (!enabled)
    return <span class="muted">{lastError === '' ? 'Disabled' : `Disabled after: ${lastError}`}</span>
  if (failingSince !== null) {
    return (
      <span class="error">
        Failing since <Time page={page} at={failingSince} show="clock" />: {lastError}
      </span>
    )
  }
  if (lastSent === null) return <span class="muted">Nothing was sent yet</span>
  return (
    <>
      Last sent <Time page={page} at={lastSent} />
    </>
  )
}
