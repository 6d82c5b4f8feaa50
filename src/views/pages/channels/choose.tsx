import { PageHead } from '../../components/page-head.js'
import { Layout } from '../../layout.js'
import type { PageContext } from '../../page-context.js'
import { type KindCard, KindGallery } from './gallery.js'

interface Props {
  page: PageContext
  projectUuid: string
  kinds: readonly KindCard[]
  search: string
}

/** The kinds of channels that can be added to a project. */
export function ChooseKindPage({ page, projectUuid, kinds, search }: Props) {
  return (
    <Layout
      page={page}
      title="Add an integration"
      section="integrations"
      parent="integrations"
      scripts={['gallery']}
    >
      <PageHead
        title="Add an integration"
        lead="Where should alerts be sent when a check goes down, and when it comes back?"
      />
      <KindGallery page={page} projectUuid={projectUuid} kinds={kinds} search={search} />
    </Layout>
  )
}
