/** Every component on one page, for review and for axe. Not part of the product. */
import type { Theme } from '../../../src/core/people/theme.js'
import { type ShownStatus, StatusGlyph } from '../../../src/views/components/checks/status-glyph.js'
import { Tags } from '../../../src/views/components/checks/tags.js'
import { CopyBlock, CopyLine } from '../../../src/views/components/copy.js'
import { Disclosure, Menu } from '../../../src/views/components/disclosure.js'
import { Duration } from '../../../src/views/components/duration.js'
import { EmptyState } from '../../../src/views/components/empty-state.js'
import { Button, ButtonLink } from '../../../src/views/components/forms/button.js'
import { Field, Select, TextArea, Tick, TickGroup } from '../../../src/views/components/forms/field.js'
import { PostForm } from '../../../src/views/components/forms/post-form.js'
import { PageHead } from '../../../src/views/components/page-head.js'
import { cellClass, Table } from '../../../src/views/components/table.js'
import { Panels, Tabs } from '../../../src/views/components/tabs.js'
import { Time } from '../../../src/views/components/time.js'
import { Layout } from '../../../src/views/layout.js'
import type { PageContext } from '../../../src/views/page-context.js'

const now = Date.UTC(2026, 0, 15, 12)
const STATUSES: ShownStatus[] = ['down', 'grace', 'running', 'up', 'paused', 'new']
const LONG = 'nightly-database-backup-of-the-customer-relations-cluster-in-frankfurt-with-verification'

export function galleryContext(theme: Theme): PageContext {
  return {
    user: { email: 'alice@example.org', timezone: 'Europe/Zurich', theme },
    project: { uuid: 'p1', name: 'Alice’s machines', role: 'owner', warning: 'one failed' },
    projects: [
      { uuid: 'p1', name: 'Alice’s machines', role: 'owner' as const, down: 2 },
      {
        uuid: 'p2',
        name: 'A project with a rather long name that has to be cut off somewhere',
        role: 'owner' as const,
        down: 0,
      },
    ],
    base: '',
    siteName: 'Punctual',
    csrf: 'token',
    now,
    problems: 2,
    flash: { kind: 'good', text: 'Saved. The next run is expected tomorrow at 02:00.' },
  }
}

export function Gallery({ theme }: { theme: Theme }) {
  const page = galleryContext(theme)
  return (
    <Layout title="Gallery" page={page} section="checks">
      <PageHead title="2 of 6 checks are down" lead="The rest are on time.">
        <ButtonLink href="#">Cancel</ButtonLink>
        <ButtonLink href="#" look="primary">
          New check
        </ButtonLink>
      </PageHead>
      <Tabs
        label="Filter"
        tabs={[
          { href: '#', label: 'All', current: true, count: 6 },
          { href: '#', label: 'Down', count: 2 },
          { href: '#', label: 'Late', count: 1 },
        ]}
      />
      <Rows page={page} />
      <section class="section">
        <h2>Status</h2>
        <p class="actions">
          {STATUSES.map(status => (
            <StatusGlyph status={status} word />
          ))}
          <StatusGlyph status="up" running word />
        </p>
      </section>
      <section class="section">
        <h2>Buttons</h2>
        <PostForm page={page} action="/x" class="actions">
          <Button look="primary">Save</Button>
          <Button>Pause</Button>
          <Button look="danger">Delete</Button>
          <Button look="quiet">Cancel</Button>
          <Button small>Test</Button>
          <Button disabled>Disabled</Button>
          <Menu label="More">
            <a href="#rename">Rename</a>
            <button type="submit">Delete</button>
          </Menu>
        </PostForm>
      </section>
      <Forms page={page} />
      <section class="section stack">
        <h2>Code</h2>
        <CopyLine text={`https://punctual.example.org/ping/0b0bf10c-3f4e-4f0b-9e43-4a3f4b1f2f3a/${LONG}`} />
        <CopyBlock text={'#!/bin/sh\ncurl -fsS -m 10 --retry 5 https://punctual.example.org/ping/abc\n'} />
        <Panels
          name="snippets"
          label="How to ping"
          panels={[
            {
              label: 'crontab',
              content: <CopyBlock text={'8 6 * * * /home/user/backup.sh && curl -fsS …'} />,
            },
            { label: 'Python', content: <CopyBlock text={'import urllib.request'} /> },
          ]}
        />
        <Disclosure summary="Advanced">What not everybody needs.</Disclosure>
      </section>
      <section class="section">
        <EmptyState title="Waiting for the first ping">
          <p>Run this wherever the job runs; its check appears here as soon as the ping arrives.</p>
          <CopyLine text="curl https://punctual.example.org/ping/abc/nightly-backup?create=1" />
        </EmptyState>
        <p class="flash flash-bad">The test could not be delivered: Received status code 404.</p>
        <p class="notice">This project has no integration: nobody is alerted when a check goes down.</p>
      </section>
    </Layout>
  )
}

function Rows({ page }: { page: PageContext }) {
  return (
    <Table
      caption="Checks"
      columns={[
        { title: 'Status', silent: true },
        { title: 'Name', grow: true },
        { title: 'Last ping', wide: true },
        { title: 'Duration', align: 'right' },
      ]}
    >
      {STATUSES.map((status, index) => (
        <tr>
          <td>
            <StatusGlyph status={status} />
          </td>
          <td>
            <a class="name" href="#check">
              {index === 1 ? LONG : `Backup ${index}`}
            </a>{' '}
            <Tags tags={['prod', 'db']} />
          </td>
          <td class={cellClass({ wide: true })}>
            <Time page={page} at={now - index * 7_000_000} />
          </td>
          <td class={cellClass({ align: 'right' })}>
            <Duration ms={index * 81_310} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Forms({ page }: { page: PageContext }) {
  return (
    <section class="section">
      <h2>Form</h2>
      <PostForm page={page} action="/x" class="form">
        <Field label="Name" name="name" value="Nightly backup" help="Shown in lists and messages." />
        <Field
          label="Schedule"
          name="schedule"
          value="0 2 * *"
          mono
          error="A cron expression has five fields; this one has four."
        />
        <div class="form-row">
          <Field label="Grace" name="grace" value="1 h" />
          <Select
            label="Zone"
            name="tz"
            value="utc"
            options={[
              { value: 'utc', label: 'UTC' },
              { value: 'zrh', label: 'Europe/Zurich' },
            ]}
          />
        </div>
        <TextArea label="Description" name="desc" placeholder="Where it runs, and what to do when it fails" />
        <TickGroup label="Who is alerted">
          <Tick label="E-mail to alice@example.org" name="channel" value="1" checked />
          <Tick label="On-call" name="channel" value="2" help="A group of three." />
        </TickGroup>
        <div class="form-end">
          <Button look="primary">Save</Button>
          <Button look="quiet">Cancel</Button>
        </div>
      </PostForm>
    </section>
  )
}
