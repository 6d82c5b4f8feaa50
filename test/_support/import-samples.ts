/** What other monitors and schedulers export, made by hand after their documents. */
import type { KumaRows } from '../../src/core/import/drafts/read-uptime-kuma.js'

/** https://cronitor.io/docs/monitor-api */
export const CRONITOR = `jobs:
  nightly-backup:
    name: Nightly backup
    schedule: '0 3 * * *'
    timezone: America/New_York
    grace_seconds: 300
    failure_tolerance: 2
    assertions:
      - metric.duration < 2 hours
      - metric.duration > 5 seconds
      - metric.error_count = 0
    notify: [default, devops-team]
    realert_interval: every 8 hours
    platform: linux cron
    tags: [db]
    group: backups
    note: Runs on db1
    paused: true
    latest_event: {stamp: 1736515126.638, event: complete}
    consecutive_alert_threshold: null
  welcome-email:
    schedule: every 10 minutes
  reports:
    schedules: ['0 6 * * *', '0 18 * * *']
heartbeats:
  queue-worker:
    schedule: every 30 seconds
    grace_seconds: 60
  production-deploy:
    notify: {alerts: [default], events: {complete: true}}
checks:
  homepage:
    request: {url: https://example.org}
    assertions: [response.time < 2s]
`

/** https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ */
export const CRON_JOBS = `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly-report, namespace: shop, labels: {app: report}}
spec:
  schedule: "15 3 * * ?"
  timeZone: Europe/Berlin
  suspend: true
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 200
  successfulJobsHistoryLimit: 3
  jobTemplate:
    spec:
      activeDeadlineSeconds: 1800
      backoffLimit: 2
      template:
        spec:
          restartPolicy: OnFailure
          containers: [{name: report, image: "shop/report:1", command: [/bin/report]}]
---
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
---
apiVersion: v1
kind: List
items:
  - apiVersion: batch/v1
    kind: CronJob
    metadata: {name: cleanup, namespace: default}
    spec: {schedule: "@hourly", jobTemplate: {spec: {template: {}}}}
  - apiVersion: batch/v1beta1
    kind: CronJob
    metadata: {name: warm-cache, namespace: shop}
    spec: {schedule: "CRON_TZ=Asia/Tokyo */5 * * * *", jobTemplate: {spec: {template: {}}}}
  - apiVersion: batch/v1
    kind: CronJob
    metadata: {name: sync, namespace: shop}
    spec: {schedule: "@every 1h30m", timeZone: Etc/UTC, jobTemplate: {spec: {template: {}}}}
  - apiVersion: batch/v1
    kind: CronJob
    metadata: {name: broken, namespace: shop}
    spec: {schedule: "61 * * * *"}
`

/** Rows of version 2. */
export const KUMA: KumaRows = {
  monitor: [
    { id: 1, name: 'Nightly jobs', type: 'group', active: 1 },
    {
      ...{
        id: 2,
        name: 'Backup',
        type: 'push',
        active: 1,
        interval: 90_000,
        maxretries: 6,
        retry_interval: 360,
      },
      ...{
        push_token: 'aB3dE6gH9k',
        parent: 1,
        description: 'On the NAS',
        upside_down: 0,
        resend_interval: 0,
      },
    },
    {
      ...{
        id: 3,
        name: 'Heartbeat',
        type: 'push',
        active: 0,
        interval: 20,
        maxretries: 0,
        retry_interval: 20,
      },
      ...{ push_token: 'zzzzzzzzzz', parent: null, description: null, upside_down: 1, resend_interval: 3 },
    },
    { id: 4, name: 'Homepage', type: 'http', active: 1, interval: 60, url: 'https://example.org' },
  ],
  tag: [{ id: 1, name: 'env', color: '#059669' }],
  monitor_tag: [{ id: 1, monitor_id: 2, tag_id: 1, value: 'prod' }],
  notification: [{ id: 1, name: 'Ops Slack', config: '{"type":"slack"}' }],
  monitor_notification: [{ id: 1, monitor_id: 2, notification_id: 1 }],
}

/** `systemctl cat backup.timer backup.service sync.timer boot.timer` */
export const TIMERS = `# /etc/systemd/system/backup.timer
[Unit]
Description=Backups

[Timer]
OnCalendar=Mon..Fri 03:00

# /etc/systemd/system/backup.timer.d/late.conf
[Timer]
RandomizedDelaySec=1h

# /etc/systemd/system/backup.service
[Service]
ExecStart=/usr/local/bin/backup

# /usr/lib/systemd/system/sync.timer
[Timer]
OnUnitActiveSec=15min

# boot.timer
[Timer]
OnBootSec=5min
`
