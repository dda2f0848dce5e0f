"""What experiments of optimisers are read from: bayesmark, IOHprofiler and COCO."""
