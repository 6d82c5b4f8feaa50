import { emailDocument, textFooter } from './layout.js'
import { Heading, Section } from './parts.js'

/** A check that is still down. */
export interface NagRow {
  name: string
  url: string
  /** Its state, in words. */
  text: string
}

export interface NagEmail {
  siteName: string
  siteRoot: string
  unsubscribeUrl: string
  title: string
  projects: readonly { name: string; url: string; rows: readonly NagRow[]; rest: string }[]
}

/** The reminder as an HTML document. */
export function nagHtml(email: NagEmail): string {
  return emailDocument({
    ...email,
    children: (
      <>
        <Heading status="down">{email.title}</Heading>
        {email.projects.map(({ name, url, rows, rest }) => (
          <>
            <Section>
              <a href={url} class="link" style="color:#0b57d0">
                {name}
              </a>
            </Section>
            <ul style="margin:4px 0;padding-left:20px">
              {rows.map(row => (
                <li style="margin:4px 0">
                  <a href={row.url} class="link" style="color:#0b57d0">
                    {row.name}
                  </a>
                  {`: ${row.text}`}
                </li>
              ))}
              {rest && <li style="margin:4px 0">{rest}</li>}
            </ul>
          </>
        ))}
      </>
    ),
  })
}

/** The reminder as plain text. */
export function nagPlain(email: NagEmail): string {
  const projects = email.projects.map(({ name, url, rows, rest }) =>
    [`${name}: ${url}`, ...rows.map(row => `- ${row.name}: ${row.text}`), rest]
      .filter(text => text !== '')
      .join('\n'),
  )
  return [`${email.title}.`, ...projects, textFooter(email)].join('\n\n')
}
