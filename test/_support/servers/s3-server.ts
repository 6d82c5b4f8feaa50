/** A real S3-compatible server that verifies signatures, on a folder of its own. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import S3rver from '@20minutes/s3rver'
import { S3Client, type S3Options } from '../../../src/lib/s3/s3-client.js'
import { tempFolder } from '../worlds/store.js'

/** The only key that the server knows. */
const KEY = 'S3RVER'

export const BUCKET = 'ping-bodies'

export interface S3Server {
  port: number
  /** A client for it, closed when the test ends. */
  client(options?: Partial<S3Options>): S3Client
  /** The names of all objects, sorted. */
  keys(): Promise<string[]>
  object(key: string): Promise<string>
  /** Stops it, so that its port refuses connections. */
  stop(): Promise<void>
  /** Starts it again on the same port, with the same objects. */
  start(): Promise<void>
}

/** Starts the server; it ends with the test. */
export async function openS3Server(t: TestContext): Promise<S3Server> {
  const directory = await tempFolder(t)
  let running: S3rver | null = null
  const server: S3Server = {
    port: 0,
    client(options = {}) {
      const client = new S3Client({
        endpoint: `127.0.0.1:${server.port}`,
        secure: false,
        region: 'eu-central-1',
        bucket: BUCKET,
        accessKey: KEY,
        secretKey: KEY,
        timeoutMs: 60_000,
        maxBytes: 1_000_000,
        ...options,
      })
      t.after(() => client.close())
      return client
    },
    async keys() {
      const files = await filesIn(join(directory, BUCKET))
      return files.flatMap(file => /^(.*)\._S3rver_object$/.exec(file)?.[1] ?? []).sort()
    },
    object: key => readFile(join(directory, BUCKET, `${key}._S3rver_object`), 'utf8'),
    async stop() {
      running?.httpServer?.closeAllConnections()
      await running?.close()
      running = null
    },
    async start() {
      running = new S3rver({
        address: '127.0.0.1',
        port: server.port,
        directory,
        silent: true,
        configureBuckets: [{ name: BUCKET }],
      })
      server.port = (await running.run()).port
    },
  }
  await server.start()
  t.after(() => server.stop())
  return server
}

/** All files in a folder and its subfolders. Folders may disappear while it runs, because the server removes empty ones. */
async function filesIn(folder: string): Promise<string[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}
