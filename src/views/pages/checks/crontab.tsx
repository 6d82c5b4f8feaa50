import type { PlannedLine } from '../../../core/discover/plan-crontab.js'
import { describe, parseSchedule } from '../../../core/schedule/index.js'
import { plural } from '../../../core/text/plural.js'
import { periodWords } from '../../../core/time/duration.js'
import { otherZone } from '../../components/checks/schedule-words.js'
import { CopyBlock } from '../../components/copy.js'
import { Button, ButtonLink } from '../../components/forms/button.js'
import { Select, TextArea } from '../../components/forms/field.js'
import { FormEnd } from '../../components/forms/form-end.js'
import { PostForm } from '../../components/forms/post-form.js'
import { ZoneField } from '../../components/forms/zone-field.js'
import { PageHead } from '../../components/page-head.js'
import { Table } from '../../components/table.js'
import { Layout } from '../../layout.js'
import { link, type PageContext, zoneOf } from '../../page-context.js'

/** What was pasted. `format`: `user`, `system`, or empty to guess. */
export interface CrontabForm {
  crontab: string
  format: string
  tz: string
}

export type CrontabErrors = Partial<Record<keyof CrontabForm, string>>

interface Props {
  page: PageContext
  project: { uuid: string; name: string }
  form: CrontabForm
  errors: CrontabErrors
  zones: readonly string[]
  /** The plan for what was pasted, and the slugs that checks of the project have; null before. */
  found: { plan: readonly PlannedLine[]; used: ReadonlySet<string> } | null
}

const FORMATS = [
  { value: '', label: 'Detect' },
  { value: 'user', label: 'crontab -l' },
  { value: 'system', label: '/etc/crontab, with users' },
]

/** A crontab is pasted, and the checks that would be made for its jobs are shown. */
export function CrontabPage({ page, project, form, errors, zones, found }: Props) {
  const action = `/projects/${project.uuid}/checks/crontab/`
  return (
    <Layout title="Paste a crontab" page={page} section="checks" parent="checks">
      <PageHead
        title="Paste a crontab"
        lead="Each job gets a check with its schedule. Then copy back the lines, to which only the ping is added."
      />
      <PostForm page={page} action={`${action}#jobs`} class="form crontab-form">
        <TextArea
          label="Crontab"
          name="crontab"
          value={form.crontab}
          error={errors.crontab}
          help="What “crontab -l” prints, or the text of /etc/crontab or of a file in /etc/cron.d. Commands are not stored."
          rows={found ? 6 : 12}
          autofocus={found === null}
          mono
        />
        <Select label="Format" name="format" value={form.format} options={FORMATS} />
        <ZoneField
          label="Time zone of the machine"
          name="tz"
          value={form.tz}
          error={errors.tz}
          zones={zones}
        />
        <FormEnd page={page} cancel={`/projects/${project.uuid}/checks/`}>
          <Button look={found ? 'plain' : 'primary'}>Show checks</Button>
        </FormEnd>
      </PostForm>
      {found ? <Plan page={page} action={action} form={form} {...found} /> : null}
    </Layout>
  )
}

interface PlanProps extends Pick<Props, 'page' | 'form'> {
  action: string
  plan: readonly PlannedLine[]
  used: ReadonlySet<string>
}

function Plan({ page, action, form, plan, used }: PlanProps) {
  const jobs = plan.filter(({ check }) => check !== null)
  const left = plan.filter(({ check }) => check === null)
  return (
    <>
      {jobs.length > 0 ? (
        <PostForm page={page} action={action} class="section" id="jobs">
          <h2>{plural(jobs.length, 'job')}</h2>
          <input type="hidden" name="crontab" value={form.crontab} />
          <input type="hidden" name="format" value={form.format} />
          <input type="hidden" name="tz" value={form.tz} />
          <Table
            caption="The checks of the jobs"
            class="crontab-plan"
            columns={[
              { title: 'Choose', silent: true, pick: true },
              { title: 'Check' },
              { title: 'Expected' },
              { title: 'Grace', wide: true },
              { title: 'Line', wide: true },
            ]}
          >
            {jobs.map(planned => (
              <Job page={page} planned={planned} isNew={!used.has(planned.check!.slug)} />
            ))}
          </Table>
          <div class="after-table">
            <Button look="primary" name="create" value="1">
              Create checks
            </Button>
          </div>
        </PostForm>
      ) : null}
      {left.length > 0 ? (
        <section class="section">
          <h2>{plural(left.length, 'line')} without a check</h2>
          <Table
            caption="Lines without a check"
            class="crontab-plan"
            columns={[{ title: 'Line' }, { title: 'Why' }]}
          >
            {left.map(({ line, text, reason }) => (
              <tr>
                <td>
                  <code>{`${line}: ${text.trim().slice(0, 200)}`}</code>
                </td>
                <td>{reason}</td>
              </tr>
            ))}
          </Table>
        </section>
      ) : null}
    </>
  )
}

function Job({ page, planned, isNew }: { page: PageContext; planned: PlannedLine; isNew: boolean }) {
  const { line, text, check } = planned
  const { name, slug, schedule, tz, grace } = check!
  const timing = { kind: 'cron' as const, schedule: schedule!, tz }
  const other = otherZone(timing, zoneOf(page))
  return (
    <tr>
      <td class="pick">
        <input
          type="checkbox"
          name="line"
          value={`${line}:${slug}`}
          checked
          aria-label={`Line ${line}, ${name}`}
        />
      </td>
      <td>
        <strong>{isNew ? name : slug}</strong>
        <span class="help">{isNew ? slug : 'has a check already, which gets this time'}</span>
      </td>
      <td>{[describe(parseSchedule(timing.schedule)), other].filter(Boolean).join(', ')}</td>
      <td class="wide">{isNew ? periodWords(grace) : 'stays'}</td>
      <td class="wide">
        <code>{text.trim()}</code>
      </td>
    </tr>
  )
}

interface ResultProps {
  page: PageContext
  project: { uuid: string; name: string }
  /** The crontab with lines that ping. */
  text: string
  /** How many lines have a check now. */
  made: number
  /** Why not all were made, or null. */
  problem: string | null
}

/** After checks were made: the crontab to copy back. */
export function CrontabResultPage({ page, project, text, made, problem }: ResultProps) {
  return (
    <Layout title="Crontab with pings" page={page} section="checks" parent="checks">
      <PageHead
        title={`${plural(made, 'job')} ${made === 1 ? 'has' : 'have'} a check`}
        lead="Replace the crontab by this one. A check is new until its job has run once."
      >
        <ButtonLink href={link(page, `/projects/${project.uuid}/checks/`)}>Show checks</ButtonLink>
      </PageHead>
      {problem ? <p class="problem">{`Not every job got a check: ${problem}`}</p> : null}
      <CopyBlock text={text} look="primary" />
      <p class="help">
        “crontab -e” opens the table of a user. A line keeps its check by its comment “punctual:”; if the time
        in it changes, paste the crontab here again. curl has to be installed.
      </p>
    </Layout>
  )
}
