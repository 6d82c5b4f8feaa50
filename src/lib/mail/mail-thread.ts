/** The thread that takes e-mails apart, one at a time: see mail-reader.ts. */
import { parentPort } from 'node:worker_threads'
import { mailTexts } from './mail-texts.js'

const port = parentPort!

port.on('message', async (raw: Uint8Array) => {
  port.postMessage(await mailTexts(raw))
})
port.postMessage('ready')
