// Takes the queues and exchanges of a test off the broker again.
//
//   node forget.mjs <name>...      reads RMQ_URL; a name that is not there is no fault
//
// A queue and an exchange may have the same name; both go.

import { connect } from "amqplib";

const connection = await connect(process.env.RMQ_URL ?? "amqp://guest:guest@127.0.0.1:5672");
for (const name of process.argv.slice(2)) {
  const channel = await connection.createChannel();
  await channel.deleteQueue(name);
  await channel.deleteExchange(name);
  await channel.close();
}
await connection.close();
