import { link, type PageContext } from '../../page-context.js'
import { Tabs } from '../tabs.js'

interface Props {
  page: PageContext
  projectUuid: string
  current: 'integrations' | 'policies'
}

/** The two pages about who is alerted: through what, and when. */
export function IntegrationTabs({ page, projectUuid, current }: Props) {
  const tab = (path: Props['current'], label: string) => ({
    href: link(page, `/projects/${projectUuid}/${path}/`),
    label,
    current: path === current,
  })
  return <Tabs label="Alerts" tabs={[tab('integrations', 'Integrations'), tab('policies', 'Policies')]} />
}
