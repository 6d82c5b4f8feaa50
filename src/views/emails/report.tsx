import { emailDocument, textFooter } from './layout.js'
import { Heading, Paragraph, Section } from './parts.js'

/** One check in a report. */
export interface ReportRow {
  name: string
  /** The address of the check's page, which does not reveal its UUID. */
  url: string
  isDown: boolean
  /** In words, ready to display. */
  runs: string
  failed: string
  downtimes: string
  downtime: string
  /** Empty if nothing is known yet. */
  uptime: string
  /** The uptime of the period before, if it was another; else empty. */
  before: string
}

export interface ReportProject {
  name: string
  url: string
  rows: readonly ReportRow[]
  /** The sentence about checks that are not listed; empty if all are. */
  rest: string
  /** What is wrong with its channels, a sentence each. */
  troubles: readonly string[]
}

export interface ReportEmail {
  siteName: string
  siteRoot: string
  unsubscribeUrl: string
  title: string
  /** One sentence about all checks. */
  summary: string
  /** What the figures exclude; empty if nothing. */
  note: string
  projects: readonly ReportProject[]
}

const UNKNOWN = 'no data yet'

/** The report as an HTML document. */
export function reportHtml(email: ReportEmail): string {
  return emailDocument({
    ...email,
    children: (
      <>
        <Heading>{email.title}</Heading>
        <Paragraph>{email.summary}</Paragraph>
        {email.projects.map(project => (
          <Project project={project} />
        ))}
        {email.note && <Paragraph quiet>{email.note}</Paragraph>}
      </>
    ),
  })
}

function Project({ project: { name, url, rows, rest, troubles } }: { project: ReportProject }) {
  return (
    <>
      <Section>
        <a href={url} class="link" style="color:#0b57d0">
          {name}
        </a>
      </Section>
      <table role="presentation" cellspacing="0" cellpadding="0" style="width:100%;font-size:15px">
        {rows.map(row => (
          <tr>
            <td style="padding:6px 16px 6px 0;vertical-align:top">
              <a href={row.url} class="link" style="color:#0b57d0">
                {row.name}
              </a>
              {row.isDown && (
                <strong class="down" style="color:#b42318">
                  {' DOWN'}
                </strong>
              )}
              <br />
              <span class="quiet" style="font-size:13px;color:#5b646d">
                {details(row)}
              </span>
            </td>
            <td style="padding:6px 0;text-align:right;vertical-align:top;white-space:nowrap">
              {row.uptime || UNKNOWN}
            </td>
          </tr>
        ))}
      </table>
      {rest && (
        <p class="quiet" style="margin:8px 0;font-size:14px;color:#5b646d">
          {rest}
        </p>
      )}
      {troubles.map(trouble => (
        <p class="down" style="margin:8px 0;font-size:14px;color:#b42318">
          {trouble}
        </p>
      ))}
    </>
  )
}

/** The report as plain text. */
export function reportPlain(email: ReportEmail): string {
  const projects = email.projects.map(({ name, url, rows, rest, troubles }) =>
    [`${name}: ${url}`, ...rows.map(line), rest, ...troubles].filter(text => text !== '').join('\n'),
  )
  return [email.title, email.summary, ...projects, email.note, textFooter(email)]
    .filter(text => text !== '')
    .join('\n\n')
}

function line(row: ReportRow): string {
  return `- ${row.name}${row.isDown ? ' (DOWN now)' : ''}: ${row.uptime === '' ? UNKNOWN : `${row.uptime} up`}, ${details(row)}`
}

function details({ runs, failed, downtimes, downtime, before }: ReportRow): string {
  const ran = `${runs} ${runs === '1' ? 'run' : 'runs'}, ${failed} failed`
  const down = downtime && `${downtimes}, ${downtime}`
  const trend = before && `before: ${before} up`
  return [ran, down, trend].filter(text => text !== '').join('; ')
}
