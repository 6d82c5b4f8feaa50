import { badgeHtml, badgeMarkdown } from '../../../core/checks/badge-code.js'
import { plural } from '../../../core/text/plural.js'
import { CopyLine } from '../../components/copy.js'
import { Field } from '../../components/forms/field.js'
import { PageHead } from '../../components/page-head.js'
import { Table } from '../../components/table.js'
import { Tabs } from '../../components/tabs.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

/** A badge with the addresses of its formats; `image` is its path on this site. */
export interface ShownBadge {
  label: string
  image: string
  svg: string
  json: string
  shields: string
}

interface Props {
  page: PageContext
  projectUuid: string
  states: 2 | 3
  search: string
  /** The badges for all checks, then those for each tag. */
  tags: readonly ShownBadge[]
  checks: readonly ShownBadge[]
  /** The number of checks that match the search. */
  found: number
}

/** Every badge of a project, to copy into a web page. */
export function BadgesPage({ page, projectUuid, states, search, tags, checks, found }: Props) {
  const path = link(page, `/projects/${projectUuid}/badges/`)
  const withStates = (count: 2 | 3) =>
    `${path}?states=${count}${search ? `&q=${encodeURIComponent(search)}` : ''}`
  return (
    <Layout page={page} title="Badges" section="badges">
      <PageHead
        title="Badges"
        lead="Status images for READMEs and dashboards. Anyone who has the URL of a badge can see it; URLs cannot be guessed and do not reveal the check."
      />
      <Tabs
        label="States"
        tabs={[
          { href: withStates(2), label: 'Up or down', current: states === 2 },
          { href: withStates(3), label: 'Up, late or down', current: states === 3 },
        ]}
      />
      <Badges caption="Badges of tags" badges={tags} />
      <section class="section">
        <h2>Checks</h2>
        {checks.length === 0 && search === '' ? (
          <p class="muted">This project has no checks yet.</p>
        ) : (
          <form method="get" action={path} class="search">
            <input type="hidden" name="states" value={String(states)} />
            <Field label="Find a check by name" name="q" type="search" value={search} />
          </form>
        )}
        {checks.length === 0 && search !== '' ? <p class="muted">No check has that name.</p> : null}
        {checks.length > 0 ? <Badges caption="Badges of checks" badges={checks} /> : null}
        {found > checks.length ? (
          <p class="muted spaced">
            Showing {checks.length} of {plural(found, 'check')}. Search by name for the others.
          </p>
        ) : null}
      </section>
    </Layout>
  )
}

function Badges({ caption, badges }: { caption: string; badges: readonly ShownBadge[] }) {
  return (
    <Table
      caption={caption}
      class="stacks badges"
      columns={[{ title: 'Badge' }, { title: 'For' }, { title: 'Code', grow: true, silent: true }]}
    >
      {badges.map(badge => (
        <tr>
          <td>
            <img src={badge.image} alt={`Badge of ${badge.label}`} height="20" loading="lazy" />
          </td>
          <td class="name">{badge.label}</td>
          <td>
            <details class="disclosure">
              <summary>
                Markdown, HTML, JSON<span class="sr-only"> for {badge.label}</span>
              </summary>
              <Code badge={badge} />
            </details>
          </td>
        </tr>
      ))}
    </Table>
  )
}

function Code({ badge }: { badge: ShownBadge }) {
  const lines = [
    ['Markdown', badgeMarkdown(badge.label, badge.svg, null)],
    ['HTML', badgeHtml(badge.label, badge.svg, null)],
    ['Picture', badge.svg],
    ['JSON', badge.json],
    ['Shields.io', badge.shields],
  ] as const
  return (
    <dl class="codes">
      {lines.map(([label, text]) => (
        <>
          <dt>{label}</dt>
          <dd>
            <CopyLine text={text} />
          </dd>
        </>
      ))}
    </dl>
  )
}
