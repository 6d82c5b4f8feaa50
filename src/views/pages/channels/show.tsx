import type { Child } from 'hono/jsx'
import { type ChannelHealth, ChannelState } from '../../components/channels/channel-state.js'
import { FilterBox } from '../../components/checks/filter-box.js'
import { Tags } from '../../components/checks/tags.js'
import { Disclosure } from '../../components/disclosure.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { Tick } from '../../components/forms/field.js'
import { PostForm } from '../../components/forms/post-form.js'
import { LiveMark } from '../../components/live-mark.js'
import { ManagedBy } from '../../components/managed-by.js'
import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, mayWrite, type PageContext } from '../../page-context.js'
import { ChannelLog, type LoggedEvent, type Waiting } from './log.js'

export interface ChannelDetails extends ChannelHealth {
  uuid: string
  title: string
  kindLabel: string
  /** The settings, with secrets masked. */
  facts: readonly { label: string; value: string }[]
  /** Whether the reader may change it. */
  changeable: boolean
  /** The file of configuration that owns it. */
  managedBy: string | null
}

interface Props {
  page: PageContext
  /** See http/web/live/live.ts. */
  version: string
  channel: ChannelDetails
  /** Those of the project, with a {@link CheckTick} for each. */
  checks: { count: number; assigned: number; ticks: Child }
  events: readonly LoggedEvent[]
  waiting: readonly Waiting[]
}

/** A channel: whether it works, its checks, and its notifications. */
export function ChannelPage({ page, version, channel, checks, events, waiting }: Props) {
  const path = `/integrations/${channel.uuid}/`
  return (
    <Layout
      page={page}
      title={channel.title}
      section="integrations"
      parent="integrations"
      scripts={['tick-all', 'filter', 'live']}
    >
      <LiveMark page={page} live={{ path: `${path}live/`, version }} />
      <PageHead title={channel.title} lead={<LiveState page={page} health={channel} />}>
        <PostForm page={page} action={`${path}test/`}>
          <Button look="primary">Send a test</Button>
        </PostForm>
        {mayWrite(page) && !channel.confirmed ? (
          <PostForm page={page} action={`${path}verify/`}>
            <Button>Send link again</Button>
          </PostForm>
        ) : null}
        {channel.changeable ? <ButtonLink href={link(page, `${path}edit/`)}>Edit</ButtonLink> : null}
        {channel.changeable ? (
          <PostForm page={page} action={`${path}enabled/`}>
            <Button name="enabled" value={channel.disabled ? 'true' : 'false'}>
              {channel.disabled ? 'Enable' : 'Disable'}
            </Button>
          </PostForm>
        ) : null}
      </PageHead>
      <ManagedBy file={channel.managedBy} />
      <div class="columns">
        <div>
          <Assignment page={page} path={path} checks={checks} />
          <section class="section">
            <h2>Notifications</h2>
            <ChannelLog page={page} events={events} waiting={waiting} />
          </section>
        </div>
        <aside>
          <section>
            <h2>{channel.kindLabel}</h2>
            <dl class="facts">
              {channel.facts.map(({ label, value }) => (
                <>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </>
              ))}
            </dl>
          </section>
          {channel.changeable ? (
            <Disclosure danger summary="Delete this integration">
              <p class="muted">
                Its log is deleted too, and no more alerts are sent through it. Incidents that it opened in
                other tools stay open there. This cannot be undone.
              </p>
              <PostForm page={page} action={`${path}remove/`} class="form-end spaced">
                <Button look="danger">Delete permanently</Button>
              </PostForm>
            </Disclosure>
          ) : null}
        </aside>
      </div>
    </Layout>
  )
}

/** Whether the channel works. */
export function LiveState({ page, health }: { page: PageContext; health: ChannelHealth }) {
  return (
    <span id="channel-state" data-part>
      <ChannelState page={page} health={health} />
    </span>
  )
}

interface TickProps {
  page: PageContext
  check: { uuid: string; name: string; tags: readonly string[]; assigned: boolean }
}

/** Whether a check alerts the channel. */
export function CheckTick({ page, check: { uuid, name, tags, assigned } }: TickProps) {
  const label = (
    <>
      {name} <Tags tags={tags} />
    </>
  )
  return <Tick name="check" value={uuid} checked={assigned} disabled={!mayWrite(page)} label={label} />
}

function Assignment({ page, path, checks }: Pick<Props, 'page' | 'checks'> & { path: string }) {
  return (
    <section>
      <h2>
        Checks <span class="count">{`${checks.assigned} of ${checks.count}`}</span>
      </h2>
      {checks.count === 0 ? <p class="muted">The project has no check yet.</p> : null}
      <PostForm page={page} action={`${path}checks/`}>
        <FilterBox label="Filter by name or tag" among=".tick-list .tick" />
        <div class="tick-list tick-columns">{checks.ticks}</div>
        {mayWrite(page) && checks.count > 0 ? (
          <div class="form-end spaced">
            <Button small>Save</Button>
            <button type="button" class="button button-quiet button-small" data-tick-all="check" hidden>
              All
            </button>
            <button type="button" class="button button-quiet button-small" data-tick-none="check" hidden>
              None
            </button>
          </div>
        ) : null}
      </PostForm>
    </section>
  )
}
