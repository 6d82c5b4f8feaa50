import { link, type PageContext } from '../../page-context.js'

interface Props {
  page: PageContext
  channel: { uuid: string; name: string; kind: string }
}

/** The name of a channel, as a link to its page. */
export function ChannelLink({ page, channel: { uuid, name, kind } }: Props) {
  return <a href={link(page, `/integrations/${uuid}/`)}>{name || kind}</a>
}
