#!/bin/sh
# Judges a class in eight parts on a Slurm cluster: sbatch examples/slurm.sh
# All nodes see the same folder. A part whose node dies is started again and goes on where it was.
#SBATCH --array=0-7
#SBATCH --cpus-per-task=2
#SBATCH --mem=4G
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=parts-%a.log
# For times that count, give each part a node of its own: --exclusive, and nodes of one kind: --constraint.

exec grader judge class --layout '{student}/{problem}.*' --jobs "${SLURM_CPUS_PER_TASK:-2}" \
    --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out parts

# When the array has ended: grader merge parts --report gradebook=grades.csv
