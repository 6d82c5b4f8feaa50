import { plural } from '../../../core/text/plural.js'
import type { CheckPageProps } from '../../check-page.js'
import { hasFailed } from '../channels/sending-words.js'
import { Time } from '../time.js'

/** `Alerted Ops chat 1 min ago. Pager: not delivered (HTTP 500), 6 attempts.` */
export function Alerted({ page, told }: Pick<CheckPageProps, 'page' | 'told'>) {
  const arrived = told.filter(({ error }) => error === '')
  const others = told.filter(({ error }) => error !== '')
  return (
    <>
      {arrived.map(({ channel, at }, index) => (
        <>
          {index === 0 ? 'Alerted' : ','} {channel.name} <Time page={page} at={at} />
        </>
      ))}
      {arrived.length > 0 ? '. ' : ''}
      {others.map(({ channel, error, attempts }) =>
        hasFailed(error)
          ? `${channel.name}: not delivered (${withoutEnd(error)}), ${plural(attempts, 'attempt')}. `
          : `${channel.name}: sending. `,
      )}
    </>
  )
}

function withoutEnd(error: string): string {
  return error.replace(/\.$/, '')
}
