/** One process of a pool: does the jobs of the module that its argument names, several at a time, and sends their results. */
const { doJob } = (await import(process.argv[2] ?? '')) as { doJob: (job: unknown) => Promise<unknown> };
process.on('message', ({ number, job }: { number: number; job: unknown }) => {
  doJob(job).then(
    (result) => process.send?.({ job: number, result }),
    (error: Error) => process.send?.({ job: number, broke: error.stack ?? error.message }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ ready: true });
