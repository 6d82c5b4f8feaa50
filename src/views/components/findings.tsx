import { type Finding, settingChanges } from '../../core/checks/findings/index.js'
import type { CheckPageProps } from '../check-page.js'
import { link, mayWrite } from '../page-context.js'
import { ButtonLink } from './forms/button.js'

type Props = Pick<CheckPageProps, 'page' | 'findings' | 'channels'> & { check: FoundCheck }

/** What is known of the check. */
export type FoundCheck = Parameters<typeof settingChanges>[0] & { uuid: string }

/** Findings about the check's settings; nothing if there are none. */
export function Findings(props: Props) {
  // If the project has no channel, the list of channels says so.
  const findings = props.findings.filter(({ code }) => code !== 'nobody_hears' || props.channels.length > 0)
  return (
    <section
      class="findings"
      id="findings"
      data-part
      aria-labelledby="findings-head"
      hidden={findings.length === 0}
    >
      <h2 id="findings-head">Findings</h2>
      <ul>
        {findings.map(finding => (
          <li>
            <p>
              {finding.evidence}
              <Change {...props} finding={finding} />
            </p>
            <WhatToDo {...props} finding={finding} />
          </li>
        ))}
      </ul>
    </section>
  )
}

type OneProps = Omit<Props, 'findings'> & { finding: Finding }

function Change({ check, finding: { patch } }: OneProps) {
  if (!patch) return null
  return (
    <>
      {settingChanges(check, patch).map(({ label, before, after }) => (
        <span class="second">
          {label}: <del>{before}</del> → <ins>{after}</ins>
        </span>
      ))}
    </>
  )
}

function WhatToDo({ page, check, finding: { code, patch } }: OneProps) {
  if (!mayWrite(page)) return null
  if (patch) {
    return (
      <ButtonLink small href={link(page, `/checks/${check.uuid}/findings/${code}/`)}>
        Apply…
      </ButtonLink>
    )
  }
  if (code !== 'nobody_hears') return null
  return (
    <ButtonLink small href={link(page, `/projects/${page.project!.uuid}/integrations/`)}>
      Integrations
    </ButtonLink>
  )
}
