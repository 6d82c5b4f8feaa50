import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import { link, type PageContext } from '../../page-context.js'

/** The list of all e-mails, for developers. */
export function SampleMailsPage({
  page,
  mails,
}: {
  page: PageContext
  mails: readonly { name: string; subject: string }[]
}) {
  return (
    <Layout page={page} title="E-mails">
      <PageHead title="E-mails" lead="Every e-mail that Punctual sends, with sample content." />
      <ul>
        {mails.map(({ name, subject }) => (
          <li>
            <a href={link(page, `/dev/mails/${name}/`)}>{subject}</a>{' '}
            <a href={link(page, `/dev/mails/${name}/?text`)}>as text</a>
          </li>
        ))}
      </ul>
    </Layout>
  )
}
